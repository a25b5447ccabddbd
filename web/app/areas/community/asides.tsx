import { Suspense, type ComponentProps } from 'react';
import { later } from '../../later.tsx';
import type { Removal as RemovalForm } from './removal.tsx';
import type { ReportForm as Form } from './report-form.tsx';

// What few readers of a thread ever open.
const report = later(async () => (await import('./report-form.tsx')).ReportForm);
const removal = later(async () => (await import('./removal.tsx')).Removal);

/** For the loader: what is sent is whole. */
export async function loadAsides(): Promise<void> {
  await Promise.all([report.load(), removal.load()]);
}

export function ReportForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense>
      <report.Part {...props} />
    </Suspense>
  );
}

export function Removal(props: ComponentProps<typeof RemovalForm>) {
  return (
    <Suspense>
      <removal.Part {...props} />
    </Suspense>
  );
}
