/** The page that renders the API reference; without script it redirects to the plain page. */
export const DOCS_SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Officium API</title><link rel="icon" href="/favicon.svg">
<noscript><meta http-equiv="refresh" content="0; url=/api/docs/plain"></noscript>
<script src="/api/docs/start.js" defer></script></head>
<body><div id="reference"><p><a href="/api/docs/plain">API reference that needs no script</a></p></div></body></html>`;

/**
 * Renders the reference, or redirects to the plain page where it was not built, as in development. No other host is
 * contacted: no fonts, no telemetry, no proxy and none of Scalar's services.
 */
export const DOCS_START = `const script = document.createElement('script');
script.src = '/api/docs/reference.js';
script.onerror = () => location.replace('/api/docs/plain');
script.onload = () => {
  document.getElementById('reference').textContent = '';
  Scalar.createApiReference('#reference', {
    url: '/api/openapi.json',
    servers: [{ url: location.origin }],
    proxyUrl: '',
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    persistAuth: false,
    showOperationId: true,
    showExtensions: ['x-extension'],
    defaultOpenFirstTag: false,
    documentDownloadType: 'direct',
    favicon: '/favicon.svg',
  });
};
document.head.append(script);
`;
