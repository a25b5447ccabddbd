/** The marks of task lists: to do and done. They stay readable wherever the text is shown without markup. */
export const TASK_MARKS = { open: '☐', done: '☑' } as const;

export function isTaskMark(character: string | undefined): boolean {
  return character === TASK_MARKS.open || character === TASK_MARKS.done;
}
