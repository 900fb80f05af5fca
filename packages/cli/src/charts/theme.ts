/** Colours by role, for a page or a picture alone. */
export const COLORS = `
:root{color-scheme:light dark;--paper:#fff;--card:#f6f8fa;--line:#d0d7de;--ink:#1f2328;--soft:#59636e;
--offered:#c9d1d9;--admitted:#0969da;--denied:#cf222e;--current:#9a6700}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--card:#151b23;--line:#3d444d;--ink:#f0f6fc;--soft:#9198a1;
--offered:#3d444d;--admitted:#4493f8;--denied:#f85149;--current:#d29922}}`;

/** Of the elements of pictures. */
export const CHART_STYLE = `
svg text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums}
svg .strong{fill:var(--ink);font-weight:600}
svg .paper{fill:var(--paper)}
svg .grid{stroke:var(--line);fill:none;shape-rendering:crispEdges}
svg .area-offered{fill:var(--offered)}
svg .area-admitted{fill:var(--admitted)}
svg .area-denied{fill:var(--denied)}
svg .line-admitted,svg .line-current,svg .line-denied{fill:none;stroke-width:1.5;stroke-linejoin:round}
svg .line-admitted{stroke:var(--admitted)}
svg .line-current{stroke:var(--current)}
svg .line-denied{stroke:var(--denied)}
svg .mark-area-offered{fill:var(--offered)}
svg .mark-area-admitted,svg .mark-line-admitted{fill:var(--admitted)}
svg .mark-area-denied,svg .mark-line-denied{fill:var(--denied)}
svg .mark-line-current{fill:var(--current)}
svg .level{stroke:var(--denied);fill:none;stroke-dasharray:6 4}
svg .level-text{fill:var(--denied);font-weight:600}`;
