"""What this slice offers: `cranfield score`, the format of trec_eval, the report of scores."""

from cranfield.slices import Slice

SLICE = Slice(
    offers={
        "cranfield.commands": {"score": "cranfield.trec.command:score"},
        "cranfield.formats": {"trec_eval": "cranfield.trec.trec_eval_format:TREC_EVAL"},
        "cranfield.subjects": {"Scores": "cranfield.trec.score_report:SCORES"},
    },
    commands={"score": "Measure TREC runs, and compare them."},
    formats={"trec_eval": ("score",)},
)
