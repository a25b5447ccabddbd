import type { ReplyOf } from '@officium/contract/endpoint';
import type { previewProductAccess } from '@officium/contract/product-access';
import { useText } from '../text.tsx';
import { Notice } from '../ui/notice.tsx';

type Preview = ReplyOf<typeof previewProductAccess>;

/** The number of people the change affects. */
export function AccessMeaning({ preview, level: Heading = 'h2' }: { preview: Preview; level?: 'h2' | 'h3' }) {
  const { t } = useText();
  const { view, join, places, becomesPublic, endsPublic, byInvitation } = preview;
  const lines = [
    view.after < view.before
      ? t('admin.products_lose_view', { count: view.before - view.after })
      : view.after > view.before
        ? t('admin.products_gain_view', { count: view.after - view.before })
        : t('admin.products_same_view'),
    join.after < join.before
      ? t('admin.products_lose_join', { count: join.before - join.after })
      : join.after > join.before
        ? t('admin.products_gain_join', { count: join.after - join.before })
        : t('admin.products_same_join'),
    t('admin.products_places', { count: places }),
  ];
  return (
    <section aria-labelledby="meaning" className="mt-6">
      <Heading id="meaning" className="text-2xl">
        {t('admin.products_meaning')}
      </Heading>
      <ul className="mt-2 grid list-disc gap-1.5 ps-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {endsPublic ? <li>{t('admin.products_ends_public')}</li> : null}
        {byInvitation ? <li>{t('admin.products_by_invitation')}</li> : null}
      </ul>
      {becomesPublic ? (
        <div className="mt-4">
          <Notice tone="danger" title={t('admin.products_public_title')}>
            {t('admin.products_public_text')}
          </Notice>
        </div>
      ) : null}
      <p className="mt-4 text-sm text-muted">{t('admin.products_counted')}</p>
    </section>
  );
}
