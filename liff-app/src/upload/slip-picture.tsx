import { messageOf } from '@shop/shared/errors.ts'
import { getSlip } from '@shop/shared/upload/endpoints.ts'
import { useObjectUrl } from '@shop/web/files.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Sheet } from '../ui/sheet.tsx'
import { Failure, Skeleton } from '../ui/state.tsx'

/** Reads a slip through the API, because it is private and has no public address. */
function useSlipPicture(slipId: string) {
  const query = useQuery({ ...api.query(getSlip, { params: { id: slipId } }), staleTime: Number.POSITIVE_INFINITY })
  const url = useObjectUrl(query.data)
  return { url, error: query.error, isFetching: query.isFetching, retry: query.refetch }
}

/** A small picture of the slip; a tap shows it large. */
export function SlipThumbnail({ slipId, no, onOpen }: { slipId: string; no: string; onOpen: () => void }) {
  const { url } = useSlipPicture(slipId)
  return (
    <button
      type="button"
      aria-label={`ดูสลิป ${no}`}
      aria-haspopup="dialog"
      onClick={onOpen}
      className="inline-flex size-11 items-center justify-center"
    >
      {url ? (
        <img src={url} alt="" className="size-10 rounded-small border border-line object-cover" />
      ) : (
        <span className="skeleton size-10" />
      )}
    </button>
  )
}

interface SlipViewerProps {
  slip: { slipId: string; no: string } | null
  open: boolean
  onClose: () => void
}

/** The slip as large as the screen allows; pinching enlarges it further. */
export const SlipViewer = ({ slip, open, onClose }: SlipViewerProps) => (
  <Sheet open={open} onClose={onClose} title={slip ? `สลิป ${slip.no}` : 'สลิป'}>
    {slip && <LargeSlip slipId={slip.slipId} no={slip.no} />}
  </Sheet>
)

function LargeSlip({ slipId, no }: { slipId: string; no: string }) {
  const { url, error, isFetching, retry } = useSlipPicture(slipId)
  if (error) return <Failure text={messageOf(error)} busy={isFetching} onRetry={() => void retry()} />
  if (!url) return <Skeleton className="h-96" />
  return <img src={url} alt={`สลิปของรายการ ${no}`} className="mx-auto max-h-[75dvh] rounded-small" />
}
