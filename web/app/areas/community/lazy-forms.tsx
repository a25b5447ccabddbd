import { Suspense, type ComponentProps } from 'react';
import { loadPictureFields } from '../../editor/lazy-picture-fields.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { Removal as RemovalForm } from './removal.tsx';
import type { ReportForm as Form } from './report-form.tsx';

// Parts that few viewers of a thread open.
const report = lazyPart(async () => (await import('./report-form.tsx')).ReportForm);
const removal = lazyPart(async () => (await import('./removal.tsx')).Removal);

/** Loads them before the server renders, so that it sends the whole page. */
export async function loadAsides(): Promise<void> {
  await Promise.all([report.load(), removal.load(), loadPictureFields()]);
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
