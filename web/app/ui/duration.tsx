import { useText } from '../text.tsx';

/** "45 minutes", and from an hour on "1 h 15 min". */
export function Duration({ minutes }: { minutes: number }) {
  return <>{useDuration()(minutes)}</>;
}

export function useDuration(): (minutes: number) => string {
  const { t } = useText();
  return (minutes) =>
    minutes < 60
      ? t('common.minutes', { count: minutes })
      : t('learning.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
