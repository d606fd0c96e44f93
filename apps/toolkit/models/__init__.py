"""The rows of the work tools, one file a model."""

from apps.toolkit.models.artifact import Artifact

__all__ = ["Artifact"]
