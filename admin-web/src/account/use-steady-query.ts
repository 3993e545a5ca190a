import { keepPreviousData, useQuery } from '@tanstack/react-query'

/** The result of the client's `query`. */
export interface Question<Answer> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal?: AbortSignal }) => Promise<Answer>
}

/** Works like `useQuery`, but keeps the last answer until that to a changed question has arrived. */
export const useSteadyQuery = <Answer>(question: Question<Answer>, isEnabled = true) =>
  useQuery({ ...question, placeholderData: keepPreviousData, enabled: isEnabled })
