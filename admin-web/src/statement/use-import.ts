import { AppError } from '@shop/shared/errors.ts'
import {
  importStatementFile,
  previewStatementFile,
  readStatementFile,
  type StatementPreview,
} from '@shop/shared/statement/import-endpoints.ts'
import type { ColumnMapping } from '@shop/shared/statement/mapping.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useSession } from '../account/session.tsx'
import { draftOf, type MappingDraft } from './mapping-draft.ts'
import { useMatching } from './use-matching.ts'

type Step = 'choose' | 'columns' | 'preview' | 'matching'
export type ImportFlow = ReturnType<typeof useImport>

/** The choice of a file and its account; the file is sent as soon as both are chosen. */
function useFile(initialAccount: number | null, onRead: (preview: StatementPreview) => void) {
  const session = useSession()
  const [account, setAccount] = useState(initialAccount)
  const [file, setFile] = useState<File | null>(null)
  const [sent, setSent] = useState(0)
  const read = useMutation({
    mutationFn: ({ chosen, receivingAccountId }: { chosen: File; receivingAccountId: number }) =>
      session.uploader(setSent).call(readStatementFile, { params: { receivingAccountId }, file: chosen }),
    onMutate: () => setSent(0),
    onSuccess: onRead,
  })
  const send = (chosen: File | null, receivingAccountId: number | null) => {
    if (chosen && receivingAccountId !== null) read.mutate({ chosen, receivingAccountId })
  }
  return {
    account,
    file,
    sent,
    read,
    chooseAccount: (id: number | null) => {
      setAccount(id)
      send(file, id)
    },
    chooseFile: (chosen: File) => {
      setFile(chosen)
      send(chosen, account)
    },
    retry: () => send(file, account),
    forget: () => {
      setFile(null)
      read.reset()
    },
  }
}

/** The columns as a person says they are, and the server's preview of the whole file that is read that way. */
function useColumns() {
  const client = useClient()
  const [preview, setPreview] = useState<StatementPreview | null>(null)
  const [draft, setDraft] = useState<MappingDraft | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  /** The person's mapping that the preview was made with; null for a layout that the server recognised. */
  const [ownMapping, setOwnMapping] = useState<ColumnMapping | null>(null)
  const check = useMutation({
    mutationFn: ({ fileId, mapping }: { fileId: string; mapping: ColumnMapping }) =>
      client.call(previewStatementFile, { params: { fileId }, body: { mapping } }),
    onSuccess: (found, { mapping }) => {
      setPreview(found)
      setOwnMapping(mapping)
      setIsOpen(false)
    },
  })
  return {
    preview,
    draft,
    setDraft,
    isOpen,
    setIsOpen,
    ownMapping,
    check,
    begin: (found: StatementPreview | null) => {
      setPreview(found)
      setDraft(found && draftOf(found.proposal))
      setOwnMapping(null)
      setIsOpen(found !== null && found.mapping === null)
      check.reset()
    },
  }
}

/** The steps from a file to matched lines; a failed call loses nothing that was chosen before it. */
export function useImport(initialAccount: number | null) {
  const client = useClient()
  const file = useFile(initialAccount, found => columns.begin(found))
  const columns = useColumns()
  const [isRemembered, setIsRemembered] = useState(true)
  const [acceptsGap, setAcceptsGap] = useState(false)
  const [keys] = useState(createRequestKeys)
  const matching = useMatching()
  const take = useMutation({
    mutationFn: ({ fileId }: { fileId: string; receivingAccountId: number }) => {
      const mapping = columns.ownMapping
      const body = { mapping, remember: mapping !== null && isRemembered, acceptsGap }
      const params = { fileId }
      return client.call(importStatementFile, { params, body, idempotencyKey: keys.getKey({ params, body }) })
    },
    onSuccess: (_, of) => void matching.start(of),
    // A refused import has stored nothing, so the next try needs a new idempotency key.
    onError: error => error instanceof AppError && error.status < 500 && keys.endRequest(),
  })
  const open: Step = columns.isOpen ? 'columns' : 'preview'
  const step: Step = take.isSuccess ? 'matching' : columns.preview ? open : 'choose'
  return {
    step,
    file,
    columns,
    take,
    matching,
    isRemembered,
    setIsRemembered,
    acceptsGap,
    setAcceptsGap,
    isBusy: file.read.isPending || columns.check.isPending || take.isPending,
    startOver: () => {
      file.forget()
      columns.begin(null)
      setAcceptsGap(false)
      take.reset()
    },
  }
}
