import type { CommunityOwner, Piece } from '@officium/contract/authoring';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ConfirmAction } from '../../ui/confirm-action.tsx';

/** The owners of a community. They are not part of its draft: changes apply immediately. */
export function OwnerList({ piece, owners }: { piece: Pick<Piece, 'state'>; owners: readonly CommunityOwner[] }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('owner-add');
  const isLive = piece.state !== 'draft';
  const accounts = owners.filter(({ userId }) => userId !== null).length;
  return (
    <section id="owners" aria-labelledby="owners-title" className="mt-10 border-t border-line pt-6">
      <h3 id="owners-title" className="text-2xl">
        {t('admin.content_owners')}
      </h3>
      <p className="mt-1 max-w-prose text-sm text-muted">
        {t(isLive ? 'admin.content_owners_hint' : 'admin.content_owners_draft')}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {owners.map(({ email, name, userId }) => (
          <li key={email} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
            <span className="min-w-0 wrap-anywhere">
              {name === null ? null : (
                <>
                  <bdi className="font-semibold">{name}</bdi> ·{' '}
                </>
              )}
              <bdi>{email}</bdi>
              {userId === null ? <span className="text-muted"> · {t('admin.content_owner_waiting')}</span> : null}
            </span>
            {userId === null || accounts > 1 ? (
              <span className="ms-auto">
                <ConfirmAction
                  intent="owner-remove"
                  label={t('admin.content_owner_remove')}
                  about={name ?? email}
                  fields={{ email }}
                  look="quiet"
                >
                  {t(userId === null ? 'admin.content_owner_remove_claim' : 'admin.content_owner_remove_text')}
                </ConfirmAction>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {isLive ? (
        <SmartForm intent="owner-add" className="mt-4 flex max-w-2xl flex-wrap items-end gap-3">
          <Field
            name="email"
            type="email"
            label={t('admin.content_owner_email')}
            autoComplete="off"
            inputMode="email"
            required
            dir="ltr"
            className="min-w-0 grow basis-64"
          />
          <Button look="secondary" isBusy={isSubmitting}>
            {t('admin.content_owner_add')}
          </Button>
        </SmartForm>
      ) : null}
    </section>
  );
}
