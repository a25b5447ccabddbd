import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { moveConnection } from '@officium/contract/account';
import { act, load } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { pageContext } from '../../server/page-context.ts';
import { useSiteName, wordsOf } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/home.page';
import { FrontPage } from './front-page.tsx';
import { readFront } from './front.ts';
import { TodayPage } from './today-page.tsx';
import { readToday } from './today.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { attempt, viewer, locale } = await load(request, context);
  if (viewer && !viewer.limited)
    return { front: null, words: null, today: await readToday(attempt, locale, viewer), now: new Date().toISOString() };
  const { site } = context.get(pageContext);
  const words = { headline: wordsOf(site.headline, locale), lead: wordsOf(site.lead, locale) };
  return { front: await readFront(attempt, locale), words, today: null, now: null };
}

/** Accepts or declines a request to connect. */
export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const isAccepted = fields.get('answer') === 'accepted';
  const moved = await attempt(moveConnection, {
    params: { peerId: String(fields.get('peer') ?? '') },
    body: { status: isAccepted ? 'accepted' : 'declined' },
  });
  if (!moved.ok) return moved.refusal;
  const { name } = moved.body.peer;
  return isAccepted
    ? redirectWith('/', { key: 'home.accepted', values: { name } })
    : redirectWith('/', { key: 'home.declined', tone: 'info' });
}

/** A vote carries its own result, so that the poll is not replaced by the next one while the viewer reads it. */
export function shouldRevalidate({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formAction?.endsWith('/vote') ? false : defaultShouldRevalidate;
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { front, words, today, now } = loaderData;
  const site = useSiteName();
  if (today)
    return (
      <>
        <Head title={t('home.today')} isPrivate />
        <TodayPage today={today} now={now} />
      </>
    );
  return (
    <>
      <Head title={t('home.title_short')} description={t('home.description', { site })} />
      <FrontPage front={front} words={words} />
    </>
  );
}
