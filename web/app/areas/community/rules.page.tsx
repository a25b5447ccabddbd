import { Link } from 'react-router';
import { readCommunity } from '@officium/contract/community';
import { readCommunitySettings } from '@officium/contract/community-settings';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/rules.page';
import { CommunityCrumb } from './community-head.tsx';
import { Pace } from './pace.tsx';
import { RuleList } from './rules.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale } = await load(request, context);
  const [{ slug, title, privacy }, settings] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    api(readCommunitySettings, { params }),
  ]);
  return { slug, title, isPrivate: privacy !== 'open-visible', settings };
}

export default function Rules({ loaderData: { slug, title, isPrivate, settings } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('moderation.rules_of', { title })} isPrivate={isPrivate} />
      <div className="mx-auto max-w-[44rem]">
        <CommunityCrumb slug={slug} title={title} />
        <h1 className="mt-4 text-4xl">{t('moderation.rules')}</h1>
        {settings.rules.length ? (
          <div className="mt-6">
            <RuleList rules={settings.rules} lang={settings.locale} />
          </div>
        ) : (
          <div className="mt-6">
            <EmptyState title={t('moderation.rules_none')} />
          </div>
        )}
        <Pace settings={settings} />
        {settings.canEdit ? (
          <p className="mt-6">
            <Link to={`/communities/${slug}/settings`} className="link inline-block py-1.5">
              {t('moderation.settings')}
            </Link>
          </p>
        ) : null}
      </div>
    </div>
  );
}
