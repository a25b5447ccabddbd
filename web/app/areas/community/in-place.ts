import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** Likes and votes bring their own answer; a list shall not be ranked anew under the reader's hands. */
export function isAnsweredInPlace({ formAction, formData }: ShouldRevalidateFunctionArgs): boolean {
  if (formAction?.endsWith('/vote')) return true;
  return Boolean(formAction?.endsWith('/react') && (formData?.has('like') || formData?.has('unlike')));
}
