"""Fill the blank form for freelance work and save it as a PDF."""

import argparse
import datetime

from fpdf import FPDF

RATE = 85


def write(customer, hours, number):
    page = FPDF()
    page.add_page()
    page.set_font("Helvetica", size=12)
    day = datetime.date.today()
    for line in (
        f"Invoice {day:%Y}-{number:03d}",
        f"To: {customer}",
        f"{hours} hours at {RATE}: {hours * RATE:.2f}",
        "Please pay within 14 days.",
    ):
        page.cell(0, 10, line, new_x="LMARGIN", new_y="NEXT")
    page.output(f"{day:%Y}-{number:03d}-{customer.lower().replace(' ', '-')}.pdf")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("customer")
    parser.add_argument("hours", type=float)
    parser.add_argument("number", type=int)
    write(**vars(parser.parse_args()))
