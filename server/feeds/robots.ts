/** Where search engines have nothing to find: people's own things, forms, and what is found by asking. */
const CLOSED = ['/api/', '/admin', '/me', '/search', '/notifications', '/login', '/signup', '/reset', '/welcome'];

/** RFC 9309. */
export function robotsOf(origin: string): string {
  return ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join(
    '\n',
  );
}
