import { useLocation } from 'react-router';
import { useText } from '../text.tsx';
import { Button } from './button.tsx';

/** Says that the page is shown as a learner gets it, and leads back. */
export function PreviewBanner({ cohort }: { cohort: string | null }) {
  const { t, rich } = useText();
  const { pathname, search } = useLocation();
  return (
    <aside aria-label={t('common.preview')} className="border-b border-line bg-marigold/25">
      <form
        method="post"
        action="/preview"
        className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3"
      >
        <p className="min-w-0 flex-[1_1_18rem]">
          {cohort === null
            ? t('common.preview_alone')
            : rich('common.preview_cohort', { cohort: <bdi key="cohort">{cohort}</bdi> })}
        </p>
        <input type="hidden" name="end" value="" />
        <input type="hidden" name="next" value={pathname + search} />
        <Button look="secondary">{t('common.preview_end')}</Button>
      </form>
    </aside>
  );
}
