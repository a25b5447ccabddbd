import { useEffect, type ComponentProps } from 'react';
import { useRevalidator } from 'react-router';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { ConfirmAction } from '../../ui/confirm-action.tsx';
import { DeletionNotice } from '../../ui/deletion-notice.tsx';
import { startDeletion, undoDeletion, useDeletionState } from '../../ui/deletion.ts';

type Props = Omit<ComponentProps<typeof ConfirmAction>, 'onConfirm'> & {
  /** The path of the DELETE operation, which has no body. */
  path: string;
  /** Label of the notice while the deletion is pending, beside the button that skips the wait. */
  pending: string;
  now: string;
  /** Announced when the row is deleted. */
  done: string;
};

/** Asks before deleting a row, and with script offers undo for a while. The list reloads afterwards. */
export function DeletableRow({ path, pending, now, done, ...ask }: Props) {
  const { t } = useText();
  const { revalidate } = useRevalidator();
  const state = useDeletionState(path);
  useEffect(() => {
    // A person who is added again becomes a new row, independent of this one.
    if (state !== 'gone') return;
    announce(done);
    void revalidate().then(() => undoDeletion(path));
  }, [state, path, done, revalidate]);
  if (state === 'waiting' || state === 'sent')
    return (
      <DeletionNotice id={path} state={state} labels={{ undo: t('admin.cohorts_undo_going'), now }}>
        {pending}
      </DeletionNotice>
    );
  if (state === 'gone') return null;
  return (
    <div id={path} tabIndex={-1} className="min-w-0">
      {state === 'failed' ? (
        <p role="alert" className="mb-2 text-danger">
          {t('admin.cohorts_not_done')}
        </p>
      ) : null}
      <ConfirmAction {...ask} onConfirm={() => startDeletion(path, { path })} />
    </div>
  );
}
