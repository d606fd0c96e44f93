"""The read-only admin of everything that has happened: lists that stay fast, pages by public ids, and no way to change a row."""

from collections.abc import Sequence
from functools import partial, update_wrapper
from typing import Any

from django.contrib.admin import ShowFacets
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode

from apps.audit.models import AuditRecord
from apps.common.text import is_storable
from apps.console.altered import guarded, list_page, row_by_row
from apps.console.filters import DayFilter, HistoryFilter
from apps.console.paging import Days, Narrowing, Page, read_page
from apps.console.rights import Right, may
from apps.console.stock import StockAdmin

BEHIND = "before"


class HistoryList(ChangeList):
    """A page of a history list."""

    page: Page[Any]
    request: HttpRequest

    def get_filters_params(self, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the parameters of filters: the place in the list is none."""
        found = super().get_filters_params(params)
        found.pop(BEHIND, None)
        return found

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """Read the page; what is returned is never looked at. Raises IncorrectLookupParameters."""
        self.request = request
        specs, self.has_filters, _remaining, _duplicates, self.has_active_filters = self.get_filters(request)
        self.filter_specs = specs
        self.clear_all_filters_qs = self.get_query_string(remove=[*self.get_filters_params(), BEHIND])
        admin: HistoryAdmin[Any] = self.model_admin  # type: ignore[assignment]
        self.narrowings, self.days = narrowed(admin, specs, self.query)
        behind = self.params.get(BEHIND)
        row = admin.row_of(behind) if behind and is_storable(behind) else None
        if behind and row is None:
            raise Http404
        read: Any = row_by_row(request) or list
        self.page = read_page(self.root_queryset, admin.time_field, self.narrowings, self.days, row, self.list_per_page, read)
        return self.root_queryset.none()

    def get_results(self, request: HttpRequest) -> None:
        """Set what the templates draw."""
        admin: HistoryAdmin[Any] = self.model_admin  # type: ignore[assignment]
        self.result_list = admin.prepared(request, list(self.page.rows))
        self.result_count = len(self.page.rows)
        self.full_result_count = None
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = self.multi_page = False
        self.paginator = None

    @property
    def older_query(self) -> str:
        """The address of the next page; empty if there is none."""
        older = self.page.older
        return "" if older is None else self.get_query_string({BEHIND: self.model_admin.reference(older)})  # type: ignore[attr-defined]

    @property
    def newest_query(self) -> str:
        """The address of the first page; empty if this is it."""
        return self.get_query_string(remove=[BEHIND]) if BEHIND in self.params else ""

    @property
    def export_query(self) -> str:
        """The parameters with which an export writes what the list shows."""
        searched = {"q": self.query} if self.query else {}
        return self.get_query_string(searched, remove=[BEHIND])

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """The rows that were altered so that they cannot be shown: what stands for each, and its address."""
        reader = row_by_row(self.request)
        return [(reference, self.model_admin.address(reference)) for reference in reader.left_out] if reader else []  # type: ignore[attr-defined]

    def url_for_result(self, result: Model) -> str:
        """Return the address of a row's page."""
        return self.model_admin.address_of(result)  # type: ignore[attr-defined]


def narrowed(admin: "HistoryAdmin[Any]", specs: Sequence[Any], query: str) -> tuple[list[Narrowing], Days]:
    """Return what the filters and the search say."""
    found = [spec.narrowing() for spec in specs if isinstance(spec, HistoryFilter)]
    narrowings = [narrowing for narrowing in found if narrowing is not None]
    if query.strip():
        narrowings.append(admin.searched(query.strip()))
    days = next((spec.days() for spec in specs if isinstance(spec, DayFilter)), Days())
    return narrowings, days


class HistoryAdmin[M: Model](StockAdmin[M]):
    """An admin in which nothing can be added, changed or deleted, by anybody."""

    actions = None
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    list_per_page = 50
    preserve_filters = False  # a row's address is its own, wherever it was found
    search_fields = ("pk",)  # draws the search box; `searched` says what is looked for
    change_list_template = "admin/console/history_list.html"
    detail_template = ""
    path_to_chain = "session__public_id"
    time_field = "created_at"
    named_by: Sequence[str] = ("public_id",)
    """The columns that a reference is made of."""

    # --- who may do what --------------------------------------------------------------------------
    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Let those see it who may see history."""
        return may(request, Right.VIEW)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show it to them in the menu."""
        return may(request, Right.VIEW)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the parameters of the filters alone: stock lookups would search what people wrote, letter by letter.

        Raises DisallowedModelAdminLookup, without the name: the refusal is logged, and the name is the client's text.
        """
        if lookup not in {name for each in self.list_filter for name in _parameters(each)}:
            raise DisallowedModelAdminLookup("There is no such filter.")
        return True

    # --- addresses --------------------------------------------------------------------------------
    def reference(self, row: M) -> str:
        """Return what stands for a row in an address: its public id."""
        return str(row.public_id)  # type: ignore[attr-defined]

    def row_of(self, reference: str) -> M | None:
        """Return the row for which a reference stands."""
        return self.get_queryset_of_one().filter(public_id=reference).first()

    def chain_of(self, reference: str) -> str | None:
        """Return the session whose chain tells of a row ("": the installation's; None: no chain does), without the row.

        Whoever asks could not read the row itself.
        """
        if not self.path_to_chain or not is_storable(reference):
            return None
        column = self.path_to_chain
        found: str | None = self.model._default_manager.filter(public_id=reference).values_list(column, flat=True).first()
        return found

    def reference_of_key(self, key: int) -> str:
        """Return the reference of a row of which nothing else can be read."""
        return self.reference(self.model._default_manager.only(*self.named_by).get(pk=key))

    def get_queryset_of_one(self) -> QuerySet[M]:
        """Return the rows as a page of one needs them."""
        return self.model._default_manager.all()

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> M | None:
        """Look up a row by its public id."""
        return self.row_of(object_id) if is_storable(object_id) else None

    def address_of(self, row: M, page: str = "change") -> str:
        """Return the address of a row's page."""
        return self.address(self.reference(row), page)

    def address(self, reference: str, page: str = "change") -> str:
        """Return the address of a page of the row for which the reference stands."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=(reference,))

    def get_urls(self) -> list[URLPattern]:
        """Return the stock addresses and those of the pages of `pages`."""
        urls = [self.page_url(*page) for page in self.pages()] + super().get_urls()
        for url in urls:
            if "object_id" in str(url.pattern):
                url.callback = guarded(self, url.callback)
        return urls

    def page_url(self, name: str, view: Any, of_list: bool = False) -> URLPattern:
        """Return the address of a page: of one row, or of the list."""

        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return self.admin_site.admin_view(view)(request, *args, **kwargs)

        address = f"{name}/" if of_list else f"<str:object_id>/{name}/"
        full_name = f"{self.opts.app_label}_{self.opts.model_name}_{name.replace('-', '_')}"
        return path(address, update_wrapper(wrapper, view), name=full_name)

    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages: name, view, and whether it is of the list."""
        return ()

    # --- views ------------------------------------------------------------------------------------
    def check_looking(self, request: HttpRequest) -> None:
        """Raise PermissionDenied for whatever is more than a look, and for who may not look."""
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        """Return the class of the list."""
        return HistoryList

    def searched(self, query: str) -> Narrowing:
        """Return what a search narrows the list to: ids and names of users, nothing else."""
        raise NotImplementedError

    def prepared(self, request: HttpRequest, rows: list[M]) -> list[M]:
        """Return the rows of a page with whatever their columns need beside them."""
        return rows

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list; there is nothing that could be posted to it."""
        self.check_looking(request)
        exports = may(request, Right.EXPORT) and hasattr(self, "export_columns")
        title = {"title": self.opts.verbose_name_plural, "may_export": exports}
        return list_page(self, request, partial(super().changelist_view, request, title | (extra_context or {})))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show one row; there is nothing that could be posted to it."""
        self.check_looking(request)
        row = self.get_object(request, object_id)
        if row is None:
            return _trail_of(object_id)
        return self.shown(request, row, self.detail_template, self.detail(request, row))

    def found(self, request: HttpRequest, object_id: str) -> M:
        """Return a row. Raises Http404."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return row

    def shown(self, request: HttpRequest, row: M, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        """Return a page about a row."""
        common = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": row,
            "reference": self.reference(row),
            "title": self.title_of(row),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, template, common | context, status=status)

    def title_of(self, row: M) -> str:
        """Return the title of a row's page."""
        return f"{self.opts.verbose_name} {self.reference(row)}"

    def detail(self, request: HttpRequest, row: M) -> dict[str, Any]:
        """Return what the page of a row shows."""
        return {}

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the row's records: they are its history."""
        self.check_looking(request)
        return _records(self.reference(self.found(request, object_id)))


def _records(word: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('admin:audit_auditrecord_changelist')}?{urlencode({'q': word})}")


def _trail_of(reference: str) -> HttpResponse:
    """Lead from the address of something deleted to its records, which stay. Raises Http404 if there are none."""
    told = Q(session=reference) | Q(run__gt="", run=reference) | Q(request__gt="", request=reference)
    if "_" not in reference or not is_storable(reference) or not AuditRecord.objects.filter(told).exists():
        raise Http404
    return _records(reference)


def _parameters(list_filter: Any) -> Sequence[str]:
    parameter = getattr(list_filter, "parameter", "")
    return (parameter,) if parameter else getattr(list_filter, "parameters", ())
