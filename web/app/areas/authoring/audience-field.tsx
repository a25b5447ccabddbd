import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AccessMeaning } from '../../admin/access-meaning.tsx';
import { useText } from '../../text.tsx';
import { Select } from '../../ui/field.tsx';
import type { AccessPreview, Audience } from './audience.act.ts';
import { SCOPES } from './kinds.ts';

/** The audience of a piece once it is published; with a choice that differs, what it changes. */
export function AudienceField({ audience: { now, wanted } }: { audience: Audience }) {
  const { t } = useText();
  return (
    <>
      <Select
        key={wanted?.view}
        name="audience"
        label={t('admin.content_audience')}
        hint={t('admin.content_audience_hint')}
        options={SCOPES.map((scope) => ({ value: scope, label: t(`admin.products_scope_${scope}`) }))}
        defaultValue={wanted?.view ?? now.permissions.can_view}
        required
        className="max-w-prose"
      />
      {wanted ? (
        <>
          <input type="hidden" name="reviewed" value={wanted.view} />
          <AccessMeaning preview={wanted.preview} level="h3" />
        </>
      ) : null}
    </>
  );
}

type SeenByProps = { preview: AccessPreview; isLive: boolean; isJourney: boolean; children?: ReactNode };

/** The audience of the piece under its present permissions. */
export function SeenBy({ preview, isLive, isJourney, children }: SeenByProps) {
  const { t } = useText();
  const words = useAudienceWords(preview);
  return (
    <section aria-labelledby="seen-by" className="max-w-prose rounded border border-line bg-card p-4">
      <h3 id="seen-by" className="text-lg">
        {t(isLive ? 'admin.content_seen_by' : 'admin.content_seen_by_then')}
      </h3>
      <p className="font-semibold">{words}</p>
      {preview.reason === 'content' ? (
        <p className="mt-1 text-sm text-muted">{t('admin.products_by_invitation')}</p>
      ) : null}
      {isJourney ? (
        <p className="mt-1 text-sm text-muted">
          {t('admin.content_seen_as_course')}{' '}
          <Link to={`/admin/products?q=${encodeURIComponent(preview.id)}`} className="link">
            {t('admin.content_permissions')}
          </Link>
        </p>
      ) : null}
      {children}
    </section>
  );
}

function useAudienceWords({ effective, admitted }: AccessPreview): string {
  const { t } = useText();
  if (effective.can_view === 'verified' && admitted && admitted.cohorts > 0)
    return t('admin.content_seen_verified', admitted);
  if (effective.can_view !== 'private') return t(`admin.products_scope_${effective.can_view}`);
  if (!admitted || (admitted.cohorts === 0 && admitted.people === 0)) return t('admin.content_seen_nobody');
  return t(admitted.cohorts > 0 ? 'admin.content_seen_cohorts' : 'admin.content_seen_admitted', admitted);
}
