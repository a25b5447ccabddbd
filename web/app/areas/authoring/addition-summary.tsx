import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';

/** The summary of a folded form that adds something to the text. Its `details` needs the class `group`. */
export function AdditionSummary({ children }: { children: ReactNode }) {
  return (
    <summary className="flex min-h-11 items-center justify-between gap-4 py-2 font-semibold">
      {children}
      <Icon as={ChevronDown} className="shrink-0 text-accent group-open:rotate-180 motion-safe:transition-transform" />
    </summary>
  );
}
