import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../text.tsx';
import { Notice } from '../../ui/notice.tsx';

/**
 * Stops a form from submitting while the device is offline, so that the typed text is not lost with the page. Call
 * `hold` first in `onSubmit`; it returns whether it stopped the form.
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

/** Explains that a form was not submitted. */
export function NeedsNetwork() {
  const { t } = useText();
  return (
    <div className="my-3">
      <Notice live>{t('learning.needs_network')}</Notice>
    </div>
  );
}
