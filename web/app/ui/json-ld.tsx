import { useLight } from '../light/light.ts';

/**
 * Structured data for search engines (schema.org). Only on pages for visitors, as which crawlers come. React would
 * create this script in the browser in a way the content security policy refuses.
 */
export function JsonLd({ data }: { data: { '@type': string } & Record<string, unknown> }) {
  const isForVisitors = import.meta.env.SSR && useLight() !== null;
  if (!isForVisitors) return null;
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data });
  return <script type="application/ld+json">{text.replaceAll('<', '\\u003c')}</script>;
}
