import { useEffect, type ComponentProps } from 'react';
import { useRevalidator } from 'react-router';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { AskFirst } from '../../ui/ask-first.tsx';
import { GoingNotice } from '../../ui/going-notice.tsx';
import { startGoing, undoGoing, useGoing } from '../../ui/going.ts';

type Props = Omit<ComponentProps<typeof AskFirst>, 'letGo'> & {
  /** The operation that does it, a DELETE without a body. */
  path: string;
  /** Says what is about to happen, and the button that does not wait. */
  going: string;
  now: string;
  /** Said when it is done. */
  done: string;
};

/** Asks before a row goes, and with script lets it be undone for a while (decision 14). The list is read again after. */
export function GoingRow({ path, going, now, done, ...ask }: Props) {
  const { t } = useText();
  const { revalidate } = useRevalidator();
  const state = useGoing(path);
  useEffect(() => {
    // Whoever comes back to the list is a new row of it, and nothing of this one.
    if (state !== 'gone') return;
    announce(done);
    void revalidate().then(() => undoGoing(path));
  }, [state, path, done, revalidate]);
  if (state === 'waiting' || state === 'sent')
    return (
      <GoingNotice id={path} state={state} labels={{ undo: t('admin.cohorts_undo_going'), now }}>
        {going}
      </GoingNotice>
    );
  if (state === 'gone') return null;
  return (
    <div id={path} tabIndex={-1} className="min-w-0">
      {state === 'failed' ? (
        <p role="alert" className="mb-2 text-danger">
          {t('admin.cohorts_not_done')}
        </p>
      ) : null}
      <AskFirst {...ask} letGo={() => startGoing(path, { path })} />
    </div>
  );
}
