import { listRegions } from '@shop/shared/catalogue/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** Says for accounts of which regions a game's packages are. Its line is there before the names are. */
export function Regions({ codes }: { codes: string[] }) {
  const { data } = useQuery({
    ...api.query(listRegions),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: codes.length > 0,
  })
  if (codes.length === 0) return null
  const names = (data ?? []).filter(({ code }) => codes.includes(code)).map(({ name }) => name)
  return (
    <p className="mb-2.5 min-h-[1.6em] text-ink-2 text-note">
      {names.length > 0 && `สำหรับบัญชีภูมิภาค ${names.join(', ')}`}
    </p>
  )
}
