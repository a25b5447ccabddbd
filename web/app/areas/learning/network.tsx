import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';

/**
 * Holds a form back while the device has no network, so that what was typed is not lost with the page.
 * `hold` goes first in `onSubmit` and tells whether it did.
 */
export function useNetwork(): { isMissing: boolean; hold: (event: SyntheticEvent) => boolean } {
  const [isMissing, setMissing] = useState(false);
  function hold(event: SyntheticEvent): boolean {
    const isOffline = !navigator.onLine;
    if (isOffline) event.preventDefault();
    setMissing(isOffline);
    return isOffline;
  }
  return { isMissing, hold };
}

/** Says that a form was held back. */
export function NeedsNetwork() {
  const { t } = useText();
  return (
    <div className="my-3">
      <Notice live>{t('learning.needs_network')}</Notice>
    </div>
  );
}
