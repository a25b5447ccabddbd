import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** Likes and votes carry their own result, so that the list is not re-ranked while the viewer reads. */
export function isAnsweredInPlace({ formAction, formData }: ShouldRevalidateFunctionArgs): boolean {
  if (formAction?.endsWith('/vote')) return true;
  return Boolean(formAction?.endsWith('/react') && (formData?.has('like') || formData?.has('unlike')));
}
