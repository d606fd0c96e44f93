"""Users and groups: who may change them, that nobody gives rights that they do not have, and that each change is on record."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import ShowFacets
from django.contrib.admin.utils import quote
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.audit.fields import as_code
from apps.audit.write import Entry, record
from apps.common.text import is_storable
from apps.console import userdata
from apps.console.drawing import moment
from apps.console.rights import APP, NAMES, Right, may
from apps.console.stock import StockAdmin, StockForm


class ReferredList(ChangeList):
    """A stock list whose rows lead to pages by public reference."""

    def url_for_result(self, result: Model) -> str:
        """Return the address of a row's page."""
        return self.model_admin.address_of(result)  # type: ignore[attr-defined]


class ReferredAdmin[M: Model](StockAdmin[M]):
    """An admin that can be changed by who manages people; its pages are found by a public reference, not by key."""

    actions = None
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    change_list_template = "admin/console/_people_list.html"
    reference_field = "public_id"

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Let those see it who may see history or manage people."""
        return may(request, Right.VIEW, Right.PEOPLE)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show it to them in the menu."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let those add who manage people."""
        return may(request, Right.PEOPLE)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Let those change it who manage people, as far as their own rights reach."""
        return may(request, Right.PEOPLE) and (obj is None or self.is_within(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse: what somebody did stays theirs; data are erased, accounts are switched off."""
        return False

    def is_within(self, request: HttpRequest, obj: M) -> bool:
        """Say whether the object gives no right that the person at work does not have."""
        raise NotImplementedError

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        """Return the class of the list."""
        return ReferredList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> M | None:
        """Look up by reference."""
        found: QuerySet[M] = self.get_queryset(request)
        return found.filter(**{self.reference_field: object_id}).first() if is_storable(object_id) else None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list under the name of what it lists."""
        return super().changelist_view(request, {"title": self.opts.verbose_name_plural} | (extra_context or {}))

    def address_of(self, row: Model) -> str:
        """Return the address of a row's page."""
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        return reverse(name, args=(getattr(row, self.reference_field),))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Show or take the form. The stock view decodes ``_22`` and the like, which stand in ids as they are."""
        return super().changeform_view(request, object_id and quote(object_id), form_url, extra_context)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> HttpResponse:
        """Offer one way to save: after it the page of what was saved is shown."""
        context |= {"show_save_and_add_another": False, "show_save_and_continue": False}
        return super().render_change_form(request, context, *args, **options)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Leave out the stock links that add in a window of their own: what is added there would be no choice of this form."""
        field = super().formfield_for_dbfield(db_field, request, **options)
        if field is not None and hasattr(field.widget, "can_add_related"):
            field.widget.can_add_related = False
        return field

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the records: they are the history."""
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(f"{reverse('admin:audit_auditrecord_changelist')}?kind=settings_changed")

    def save_model(self, request: HttpRequest, obj: M, form: StockForm[M], change: bool) -> None:
        """Save, and record which fields were changed."""
        super().save_model(request, obj, form, change)
        names = [as_code(name) for name in form.changed_data] if change else ["added"]
        if names:
            record([Entry("settings_changed", summary={"subject": self.subject_of(obj), "names": names})])

    def subject_of(self, obj: M) -> str:
        """Return what a record calls the object."""
        raise NotImplementedError

    def response_add(self, request: HttpRequest, obj: M, post_url_continue: str | None = None) -> HttpResponse:
        """Lead to the page of what was added."""
        messages.success(request, _("Added."))
        return HttpResponseRedirect(self.address_of(obj))

    def response_change(self, request: HttpRequest, obj: M) -> HttpResponse:
        """Stay on the page."""
        messages.success(request, _("Saved."))
        return HttpResponseRedirect(self.address_of(obj))

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """Write nothing beside the audit."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None:  # type: ignore[override]
        """Write nothing beside the audit."""


def rights_of(person: Any) -> set[str]:
    """Return the permissions of a user; a superuser's are all there are."""
    return {permission for permission in person.get_all_permissions() if permission.startswith(f"{APP}.")}


class PersonForm(StockForm[User]):
    """A user, without a password: people set theirs after their first sign-in by a link."""

    class Meta:
        model = User
        fields = ("username", "email", "language", "is_active", "is_staff", "is_superuser", "groups")
        widgets = {"groups": forms.CheckboxSelectMultiple}


class PersonAdmin(ReferredAdmin[User]):
    """The people."""

    form = PersonForm
    list_display = ("username", "ident", "active", "of_the_staff", "last_seen")
    list_filter = ("is_active", "is_staff")
    search_fields = ("^username", "=public_id")
    search_help_text = gettext_lazy("The beginning of a name, or an id.")
    ordering = ("username",)
    change_form_template = "admin/console/person.html"
    _FOR_MANAGERS = ("email", "language")

    @admin.display(description=gettext_lazy("user id"))
    def ident(self, row: User) -> str:
        """The public id."""
        return row.public_id

    @admin.display(description=gettext_lazy("can sign in"), ordering="is_active")
    def active(self, row: User) -> str:
        """Whether the account is switched on."""
        return _("yes") if row.is_active else _("no")

    @admin.display(description=gettext_lazy("staff"), ordering="is_staff")
    def of_the_staff(self, row: User) -> str:
        """Whether the user may come in here."""
        return _("yes") if row.is_staff else _("no")

    @admin.display(description=gettext_lazy("last sign-in (UTC)"))
    def last_seen(self, row: User) -> str:
        """When the user signed in last."""
        return moment(row.last_login)

    @admin.display(description=gettext_lazy("made (UTC)"))
    def joined(self, row: User) -> str:
        """When the account was made."""
        return moment(row.date_joined)

    def is_within(self, request: HttpRequest, obj: User) -> bool:
        """Let nobody change somebody who may do more."""
        return request.user.is_superuser or (not obj.is_superuser and rights_of(obj) <= rights_of(request.user))

    def subject_of(self, obj: User) -> str:
        """Return the public id."""
        return obj.public_id

    def get_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Show mail address and language only to those who manage people."""
        fields = ["username", "email", "language", "is_active", "is_staff", "is_superuser", "groups"]
        if obj is not None:
            fields += ["ident", "last_seen", "joined"]
        return fields if may(request, Right.PEOPLE) else [field for field in fields if field not in self._FOR_MANAGERS]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Let only superusers make superusers."""
        always = ("ident", "last_seen", "joined")
        return always if request.user.is_superuser else (*always, "is_superuser")

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Offer the groups whose rights the person at work has."""
        if db_field.name == "groups" and not request.user.is_superuser:
            own = [permission.partition(".")[2] for permission in rights_of(request.user)]
            beyond = Permission.objects.exclude(content_type__app_label=APP, codename__in=own)
            options["queryset"] = Group.objects.exclude(permissions__in=beyond)
        return super().formfield_for_manytomany(db_field, request, **options)

    def save_model(self, request: HttpRequest, obj: User, form: StockForm[User], change: bool) -> None:
        """Save; somebody new has no password yet."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)

    def get_urls(self) -> list[URLPattern]:
        """Return the stock addresses and those for the user's data."""
        pages = {"export-data": userdata.export_view, "erase-data": userdata.erase_view, "sign-in-link": userdata.link_view}
        own = [
            path(f"<str:object_id>/{name}/", self._page(view), name=f"accounts_user_{name.replace('-', '_')}")
            for name, view in pages.items()
        ]
        return own + super().get_urls()

    def _page(self, view: Any) -> Any:
        def page(request: HttpRequest, object_id: str) -> HttpResponse:
            return view(self, request, object_id)

        return self.admin_site.admin_view(page)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> HttpResponse:
        """Say what may be done with the data of the user."""
        context["may_export_data"], context["may_erase"] = may(request, Right.EVIDENCE), may(request, Right.ERASE)
        original = context.get("original")
        context["may_sign_in"] = original is not None and self.has_change_permission(request, original)
        return super().render_change_form(request, context, *args, **options)


class GroupForm(StockForm[Group]):
    """A group: its name, and rights of the console."""

    class Meta:
        model = Group
        fields = ("name", "permissions")
        widgets = {"permissions": forms.CheckboxSelectMultiple}


class GroupAdmin(ReferredAdmin[Group]):
    """The roles of this installation."""

    form = GroupForm
    reference_field = "name"
    list_display = ("name", "rights")
    ordering = ("name",)
    change_form_template = "admin/console/_people_form.html"

    def has_view_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Let only those see groups who manage people."""
        return may(request, Right.PEOPLE)

    @admin.display(description=gettext_lazy("rights"))
    def rights(self, row: Group) -> str:
        """What its members may do."""
        return ", ".join(_(NAMES[Right(permission.codename)]) for permission in _own(row.permissions.all()))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        """Return the groups with their rights."""
        return Group.objects.prefetch_related("permissions__content_type")

    def is_within(self, request: HttpRequest, obj: Group) -> bool:
        """Let nobody change a group that may do more."""
        names = {f"{permission.content_type.app_label}.{permission.codename}" for permission in obj.permissions.all()}
        return request.user.is_superuser or names <= rights_of(request.user)

    def subject_of(self, obj: Group) -> str:
        """Name groups as such: their names are text."""
        return "group"

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Offer the rights of the console that the person at work has, in words."""
        if db_field.name != "permissions":
            return super().formfield_for_manytomany(db_field, request, **options)
        own = [permission.partition(".")[2] for permission in rights_of(request.user)]
        options["queryset"] = Permission.objects.filter(content_type__app_label=APP, codename__in=own)
        field: Any = super().formfield_for_manytomany(db_field, request, **options)
        field.label_from_instance = _right_words
        return field

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the rights in the transaction of the group."""
        with transaction.atomic():
            super().save_related(request, form, formsets, change)


def _own(permissions: Any) -> list[Permission]:
    return [permission for permission in permissions if permission.codename in set(Right)]


def _right_words(permission: Permission) -> str:
    return _(NAMES[Right(permission.codename)]) if permission.codename in set(Right) else permission.codename
