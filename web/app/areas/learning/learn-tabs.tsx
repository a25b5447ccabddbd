import { useRouteLoaderData } from 'react-router';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** Tabs of the learning pages. */
export function LearnTabs({ current }: { current: 'courses' | 'academies' | 'hubs' | 'mine' }) {
  const { t } = useText();
  const root = useRouteLoaderData<RootData>('root');
  const tabs = [
    { to: '/courses', label: t('common.courses'), isCurrent: current === 'courses' },
    { to: '/academies', label: t('learning.academies'), isCurrent: current === 'academies' },
    { to: '/hubs', label: t('hub.hubs'), isCurrent: current === 'hubs' },
  ];
  if (root?.viewer) tabs.push({ to: '/me/learning', label: t('common.learning_mine'), isCurrent: current === 'mine' });
  return <Tabs label={t('common.learn')} tabs={tabs} />;
}
