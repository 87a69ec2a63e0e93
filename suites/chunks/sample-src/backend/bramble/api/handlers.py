"""One short function for each address."""

from __future__ import annotations

from typing import Any

from bramble.api.messages import Request, Response
from bramble.api.routing import Routes
from bramble.cache import TimedCache
from bramble.catalogue.search import TitleIndex
from bramble.catalogue.titles import Titles
from bramble.circulation.loans import Desk
from bramble.errors import NotLoggedIn, Refused
from bramble.members import pins
from bramble.members.roles import Right, needs
from bramble.members.sessions import Sessions
from bramble.notices.reminders import Reminders
from bramble.paging import decode_mark
from bramble.storage.database import Database


class Handlers:
    """Holds what the handlers share; `routes` is filled when it is made."""

    def __init__(
        self,
        database: Database,
        desk: Desk,
        index: TitleIndex,
        sessions: Sessions,
        reminders: Reminders,
    ) -> None:
        self._database = database
        self._desk = desk
        self._index = index
        self._sessions = sessions
        self._reminders = reminders
        self._titles = Titles(database)
        self._guard = pins.AttemptGuard(desk._clock)
        self._found: TimedCache[list[Any]] = TimedCache(seconds=30, capacity=500)
        self.routes = Routes()
        self._connect()

    def _connect(self) -> None:
        add = self.routes.add
        add("POST", "/login")(self.log_in)
        add("POST", "/logout")(self.log_out)
        add("GET", "/titles")(self.list_titles)
        add("GET", "/titles/<int:number>")(self.show_title)
        add("GET", "/search")(self.search)
        add("GET", "/me")(self.show_account)
        add("POST", "/titles/<int:number>/reservations")(self.reserve)
        add("POST", "/loans/<barcode>/extension")(self.extend)
        add("POST", "/loans")(needs(Right.LEND)(self.lend))
        add("DELETE", "/loans/<barcode>")(needs(Right.LEND)(self.receive))
        add("POST", "/members")(needs(Right.EDIT_MEMBERS)(self.register))
        add("POST", "/members/<card>/forgiveness")(needs(Right.FORGIVE_DEBT)(self.forgive))

    def log_in(self, request: Request) -> Response:
        body = request.json()
        card = str(body.get("card", ""))
        self._guard.check(card)
        row = self._database.one("SELECT pin, kind FROM members WHERE card = ?", card)
        if row is None or not row["pin"] or not pins.matches(str(body.get("pin")), row["pin"]):
            self._guard.note_failure(card)
            raise Refused("card or PIN is wrong")
        role = row["kind"] if row["kind"] in {"volunteer", "librarian", "head"} else "reader"
        return Response(self._sessions.open(card, role).to_json(), 201)

    def log_out(self, request: Request) -> Response:
        if request.session:
            self._sessions.close(request.session.token)
        return Response(status=204)

    def list_titles(self, request: Request) -> Response:
        size = int(request.query.get("size", 25))
        after = decode_mark(request.query["after"]) if "after" in request.query else None
        return Response(self._titles.listed(size, after).to_json(lambda title: title.to_json()))

    def show_title(self, request: Request, number: int) -> Response:
        title = self._titles.get(number).to_json()
        free = len(self._desk.copies.on_shelf(number))
        return Response(title | {"free": free, "waiting": self._desk.waiting.count(number)})

    def search(self, request: Request) -> Response:
        """Answers are kept for half a minute: many people type the same."""
        typed = request.query.get("q", "").strip()
        found = self._found.get(typed)
        if found is None:
            found = [self._titles.get(number).to_json() for number in self._index.find(typed)]
            self._found.put(typed, found)
        return Response({"items": found, "completions": self._index.complete(typed)})

    def show_account(self, request: Request) -> Response:
        card = self._own_card(request)
        loans = [loan.to_json() for loan in self._desk.loans.of_member(card)]
        entries = [entry.to_json() for entry in self._desk.ledger.statement(card)]
        owed = self._desk.ledger.balance(card)
        return Response({"loans": loans, "owed": owed, "entries": entries})

    def reserve(self, request: Request, number: int) -> Response:
        place = self._desk.waiting.join(self._titles.get(number).id, self._own_card(request))
        return Response({"place": place}, 201)

    def extend(self, request: Request, barcode: str) -> Response:
        if self._desk.loans.of_copy(barcode).member != self._own_card(request):
            raise Refused("this is not your loan")
        return Response(self._desk.prolong(barcode).to_json())

    def lend(self, request: Request) -> Response:
        body = request.json()
        return Response(self._desk.hand_out(body["barcode"], body["card"]).to_json(), 201)

    def receive(self, request: Request, barcode: str) -> Response:
        title = self._desk.copies.get(barcode).title
        follower = self._desk.take_back(barcode)
        if follower:
            self._reminders.tell_ready(follower, title, "the end of next week")
        return Response({"hold_for": follower})

    def register(self, request: Request) -> Response:
        return Response(self._desk.members.register(request.json()).to_json(), 201)

    def forgive(self, request: Request, card: str) -> Response:
        body, clerk = request.json(), self._own_card(request)
        left = self._desk.ledger.forgive(card, int(body["cents"]), clerk, str(body.get("why", "")))
        return Response({"owed": left})

    def _own_card(self, request: Request) -> str:
        if request.session is None:
            raise NotLoggedIn("please log in")
        return request.session.card
