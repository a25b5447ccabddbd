/** Paths without value for search engines: personal pages, forms and search results. */
const CLOSED = ['/api/', '/admin', '/me', '/search', '/notifications', '/login', '/signup', '/reset', '/welcome'];

/** RFC 9309. */
export function robotsOf(origin: string): string {
  return ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join(
    '\n',
  );
}
