"""`geogebra_analysis`: figures from a few GeoGebra commands, computed exactly in a limited process."""
