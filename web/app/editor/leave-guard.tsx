import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks for confirmation before leaving a page with unsaved changes. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const { t } = useText();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isOn]);
  return (
    <Dialog isOpen={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={t('compose.leave_title')}>
      {blocker.state === 'blocked' ? (
        <>
          <p>{t('compose.leave_text')}</p>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button type="button" onClick={() => blocker.reset?.()}>
              {t('compose.leave_stay')}
            </Button>
            <Button type="button" look="secondary" onClick={() => blocker.proceed?.()}>
              {t('compose.leave_go')}
            </Button>
          </div>
        </>
      ) : null}
    </Dialog>
  );
}
