"""What the work tools keep, one file a model."""

from apps.toolkit.models.source import Source, SourcePart

__all__ = ["Source", "SourcePart"]
