import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Item } from '../api/call.ts'
import { assetWords } from '../words/assets.ts'
import { useWords } from '../words/words.ts'
import { Chip, Time } from './values.tsx'
import '../styles/video.css'

type Asset = Item<'GET /assets'>

export function AssetGallery({ assets }: { assets: readonly Asset[] }) {
  return (
    <div className="gallery">
      {assets.map((asset) => (
        <Link key={asset.id} to="/assets" search={{ id: asset.id } as never} className="card tile">
          <AssetScreen asset={asset} />
          <span className="pad">
            <span className="row">
              <Chip state={asset.status} />
              <span className="muted">{asset.asset_type}</span>
            </span>
            <span className="cut">{asset.name ?? asset.id}</span>
            {asset.error !== null && <span className="bad">{asset.error.message}</span>}
            <span className="muted">
              <Time iso={asset.created_at} />
            </span>
          </span>
        </Link>
      ))}
    </div>
  )
}

/** Media come through the gateway, so the page loads nothing from third parties. */
export function AssetScreen({ asset, isLarge }: { asset: Asset; isLarge?: boolean }) {
  const t = useWords(assetWords)
  const [isGone, setGone] = useState(false)
  const src = `/admin/v1/assets/${encodeURIComponent(asset.id)}/content`
  const gone = () => setGone(true)
  const name = asset.name ?? asset.id
  return (
    <span className="screen">
      {asset.status !== 'active' || isGone ? (
        <span className="cut">{t('noPreview')}</span>
      ) : asset.asset_type === 'Image' ? (
        <img src={src} alt={name} loading="lazy" onError={gone} />
      ) : asset.asset_type === 'Video' ? (
        <video src={src} preload="metadata" muted playsInline controls={isLarge === true} onError={gone} />
      ) : isLarge ? (
        // biome-ignore lint/a11y/useMediaCaption: a client's sound has no captions.
        <audio src={src} controls onError={gone} />
      ) : (
        <span className="cut">{asset.asset_type}</span>
      )}
    </span>
  )
}
