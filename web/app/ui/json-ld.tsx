import { useLight } from '../light/light.ts';

/**
 * Facts about the page for search engines, in the words of schema.org: on pages for visitors, as which they come. React
 * would make the script in the browser by a way the policy of pages does not know.
 */
export function JsonLd({ data }: { data: { '@type': string } & Record<string, unknown> }) {
  const isForVisitors = import.meta.env.SSR && useLight() !== null;
  if (!isForVisitors) return null;
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data });
  return <script type="application/ld+json">{text.replaceAll('<', '\\u003c')}</script>;
}
