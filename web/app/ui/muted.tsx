import type { ReactNode } from 'react';
import { useText } from '../text.tsx';

/** Collapses a text of a person whom the viewer has muted to one line. */
export function Muted({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useText();
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5 text-muted">{t('follow.muted', { name })}</summary>
      {children}
    </details>
  );
}
