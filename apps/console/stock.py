"""The stock admin and its forms, subscriptable as their stubs are."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin as StockAdmin
    from django.forms import ModelForm as StockForm
else:
    from django.contrib.admin import ModelAdmin
    from django.forms import ModelForm

    class StockAdmin(ModelAdmin):
        """The stock admin of a model."""

        def __class_getitem__(cls, model: object) -> type:
            return cls

    class StockForm(ModelForm):
        """The stock form of a model."""

        def __class_getitem__(cls, model: object) -> type:
            return cls


__all__ = ["StockAdmin", "StockForm"]
