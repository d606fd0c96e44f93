"""Filters of the history lists: each reads one parameter of the address and says what it narrows the list to."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.contrib.admin import ListFilter
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.console.paging import Days, Narrowing
from apps.console.stock import StockAdmin

Params = dict[str, list[str]]
Choice = tuple[str, str | Promise]


class HistoryFilter(ListFilter):
    """A filter that takes its parameters out of the address."""

    parameters: Sequence[str] = ()

    def __init__(self, request: HttpRequest, params: Params, model: type[Model], model_admin: StockAdmin[Any]) -> None:
        super().__init__(request, params, model, model_admin)
        self.given: dict[str, str] = {
            name: value for name in self.parameters if (value := (params.pop(name, None) or [""])[-1].strip())
        }

    def has_output(self) -> bool:
        """Say that it is drawn: always."""
        return True

    def expected_parameters(self) -> list[str | None]:
        """Return the names of its parameters."""
        return list(self.parameters)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Change nothing: the list asks for the narrowing and decides what leads."""
        return queryset

    def narrowing(self) -> Narrowing | None:
        """Return what the list is narrowed to; None if the filter is not set. Raises IncorrectLookupParameters."""
        return None

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield what the template draws; a form needs the other parameters, to keep them."""
        others = changelist.get_query_string(remove=[*self.parameters, "before"])
        yield {"given": self.given, "others": _pairs(others), "cleared": others}


def _pairs(query: str) -> list[tuple[str, str]]:
    from urllib.parse import parse_qsl

    return parse_qsl(query.removeprefix("?"))


class Chosen(HistoryFilter):
    """One of several values, drawn as the stock filters are."""

    parameter = ""
    leads = 0

    def __init__(self, request: HttpRequest, params: Params, model: type[Model], model_admin: StockAdmin[Any]) -> None:
        self.parameters = (self.parameter,)
        super().__init__(request, params, model, model_admin)

    def options(self) -> Sequence[Choice]:
        """Return the values with their words."""
        raise NotImplementedError

    def condition(self, value: str) -> Q:
        """Return the condition for a value."""
        return Q(**{self.parameter: value})

    def narrowing(self) -> Narrowing | None:
        """Return the condition for the chosen value."""
        value = self.given.get(self.parameter)
        if value is None:
            return None
        if value not in dict(self.options()):
            raise IncorrectLookupParameters
        return Narrowing(self.condition(value), self.leads)

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield all, and each value."""
        chosen = self.given.get(self.parameter)
        yield self._choice(changelist, None, chosen is None, _("All"))
        for value, words in self.options():
            yield self._choice(changelist, value, value == chosen, words)

    def _choice(self, changelist: ChangeList, value: str | None, selected: bool, words: str | Promise) -> dict[str, Any]:
        query = changelist.get_query_string({} if value is None else {self.parameter: value}, [self.parameter, "before"])
        return {"selected": selected, "query_string": query, "display": words}


def chosen(parameter: str, title: str | Promise, options: Any, leads: int = 0, field: str = "") -> type[Chosen]:
    """Return a filter for one field. `options` is called when it is drawn, or is a mapping or a list of values."""

    def listed(self: Chosen) -> Sequence[Choice]:
        found = options() if callable(options) else options
        return list(found.items()) if isinstance(found, Mapping) else [o if isinstance(o, tuple) else (o, o) for o in found]

    def condition(self: Chosen, value: str) -> Q:
        return Q(**{field or parameter: value})

    members = {"parameter": parameter, "title": title, "leads": leads, "options": listed, "condition": condition}
    return type(f"{parameter.title()}Filter", (Chosen,), members)


class DayFilter(HistoryFilter):
    """A range of days in UTC. It bounds every index, so it never has to lead."""

    title = gettext_lazy("day (UTC)")
    template = "admin/console/day_filter.html"
    parameters = ("since", "until")

    def days(self) -> Days:
        """Return the range. Raises IncorrectLookupParameters for what is no day."""
        try:
            since, until = (date.fromisoformat(day) if (day := self.given.get(end)) else None for end in self.parameters)
        except ValueError as error:
            raise IncorrectLookupParameters from error
        if until == date.max:
            raise IncorrectLookupParameters
        return Days(since, until)


class PersonFilter(HistoryFilter):
    """Rows that name one user, by the name."""

    template = "admin/console/text_filter.html"
    parameter = ""
    field = ""

    def __init__(self, request: HttpRequest, params: Params, model: type[Model], model_admin: StockAdmin[Any]) -> None:
        self.parameters = (self.parameter,)
        super().__init__(request, params, model, model_admin)

    def narrowing(self) -> Narrowing | None:
        """Return the condition for the named user; for a name that nobody has, one that nothing meets."""
        name = self.given.get(self.parameter)
        if name is None:
            return None
        user = User.objects.filter(username=name).first()
        return Narrowing(Q(pk__in=[]), 9) if user is None else self.of(user)

    def of(self, user: User) -> Narrowing:
        """Return the condition for a user."""
        return Narrowing(Q(**{self.field: user}))

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        """Yield what the form needs."""
        for choice in super().choices(changelist):
            yield choice | {"name": self.parameter, "value": self.given.get(self.parameter, "")}
