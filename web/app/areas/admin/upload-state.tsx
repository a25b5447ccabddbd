import type { Upload } from '@officium/contract/admin';
import type { z } from 'zod';
import { useText } from '../../text.tsx';

type UploadView = z.output<typeof Upload>;

/** The state of an upload as text: in progress, done, being undone or undone. */
export function useUploadState(): (upload: Pick<UploadView, 'status' | 'undo'>) => string {
  const { t } = useText();
  return ({ status, undo }) => {
    if (undo) return t(undo.finishedAt ? 'admin.cohorts_state_undone' : 'admin.cohorts_state_undoing');
    return t(status === 'done' ? 'admin.cohorts_state_done' : 'admin.cohorts_state_processing');
  };
}

export function isUnderWay({ status, undo }: Pick<UploadView, 'status' | 'undo'>): boolean {
  return undo ? !undo.finishedAt : status === 'processing';
}
