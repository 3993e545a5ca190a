import { Note, type NoteProps } from './note.tsx'

/** Why something did not work, read out at once; nothing while there is nothing to say. */
export const Problem = ({ className, children }: Pick<NoteProps, 'className' | 'children'>) =>
  children && (
    <Note className={className} kind="bad" role="alert">
      {children}
    </Note>
  )
