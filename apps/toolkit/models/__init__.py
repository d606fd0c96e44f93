"""What the work tools keep, one file a model."""

from apps.toolkit.models.artifact import Artifact
from apps.toolkit.models.source import Source, SourcePart

__all__ = ["Artifact", "Source", "SourcePart"]
