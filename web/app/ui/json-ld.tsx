import { useRouteLoaderData } from 'react-router';
import { useLight } from '../light/light.ts';
import type { RootData } from '../root-data.ts';
import { useSiteName } from '../site.ts';

/** The site as the organisation behind its pages, https://schema.org/Organization. */
export function useOrganization() {
  const origin = useRouteLoaderData<RootData>('root')?.origin ?? '';
  return { '@type': 'Organization', name: useSiteName(), url: `${origin}/` } as const;
}

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
