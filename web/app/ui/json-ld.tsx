/** Facts about the page for search engines, in the words of schema.org. */
export function JsonLd({ data }: { data: { '@type': string } & Record<string, unknown> }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data });
  return <script type="application/ld+json">{text.replaceAll('<', '\\u003c')}</script>;
}
