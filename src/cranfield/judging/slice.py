"""What the slice of judging offers."""

from cranfield.slices import Slice

SLICE = Slice(
    offers={
        "cranfield.commands": {"judge": "cranfield.judging.command:judge"},
        "cranfield.demands": {"model": "cranfield.judging.models.model_offers:MODEL_DEMAND"},
        "cranfield.pages": {"judging": "cranfield.judging.judging_pages:JUDGING_PAGES"},
        "cranfield.supplements": {
            "models": "cranfield.judging.models.model_offers:MODEL_SUPPLEMENTS"
        },
    },
    commands={"judge": "Judge the hits of stored runs."},
)
