import { data } from 'react-router';
import { pageContext } from '../../server/page-context.ts';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/site-text.page';
import { readOwnText } from './own-text.load.ts';
import { OwnTextPart } from './own-text.tsx';

/** The terms of use or the legal notice, as the site has written it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const kind = url.pathname === '/terms' ? 'terms' : 'imprint';
  const text = await readOwnText({ api, site: context.get(pageContext).site, locale }, kind);
  if (text === null) throw data(null, { status: 404 });
  return { kind, text } as const;
}

export default function SiteText({ loaderData: { kind, text } }: Route.ComponentProps) {
  const { t } = useText();
  const title = t(`common.${kind}`);
  return (
    <article className="page max-w-read py-10 md:py-14">
      <Head title={title} />
      <h1 className="text-4xl">{title}</h1>
      <OwnTextPart text={text} />
    </article>
  );
}
