import type { CommunitySettings } from '@officium/contract/community-settings';
import { useText } from '../../text.tsx';

type Settings = Pick<CommunitySettings, 'slowModeSeconds' | 'postsPerDay'>;

/** Formats seconds in the largest unit that divides them. */
export function useSpan(): (seconds: number) => string {
  const { number } = useText();
  return (seconds) => {
    const [size, unit] =
      seconds % 3600 === 0
        ? ([3600, 'hour'] as const)
        : seconds % 60 === 0
          ? ([60, 'minute'] as const)
          : ([1, 'second'] as const);
    return number(seconds / size, { style: 'unit', unit, unitDisplay: 'long' });
  };
}

/** The posting limits of a community; renders nothing without limits. */
export function Pace({ settings: { slowModeSeconds, postsPerDay } }: { settings: Settings }) {
  const { t } = useText();
  const span = useSpan();
  if (!slowModeSeconds && postsPerDay === null) return null;
  return (
    <ul className="mt-4 text-sm text-muted">
      {slowModeSeconds ? <li>{t('moderation.slow_mode', { span: span(slowModeSeconds) })}</li> : null}
      {postsPerDay === null ? null : <li>{t('moderation.posts_per_day', { count: postsPerDay })}</li>}
    </ul>
  );
}

/** How long the viewer must wait before writing again; renders nothing when they need not. */
export function Wait({ seconds }: { seconds: number }) {
  const { t } = useText();
  const span = useSpan();
  if (seconds <= 0) return null;
  const shown = seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
  return <p className="border-s-4 border-marigold ps-4 text-sm">{t('moderation.wait', { span: span(shown) })}</p>;
}
