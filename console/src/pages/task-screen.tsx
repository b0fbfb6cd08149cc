import { useEffect, useRef, useState } from 'react'
import { videoWords } from '../words/video.ts'
import { useWords } from '../words/words.ts'
import '../styles/video.css'

interface Props {
  task: { id: string; status: string; deleted_at: string | null; error: { message: string } | null }
}

export function contentOf(id: string): string {
  return `/admin/v1/tasks/${encodeURIComponent(id)}/content`
}

/** The first frame of a clip. It is fetched once the tile comes into view. */
export function TaskScreen({ task }: Props) {
  const t = useWords(videoWords)
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  const [isGone, setGone] = useState(false)
  const hasClip = task.status === 'succeeded' && task.deleted_at === null
  useEffect(() => {
    if (place.current === null || !hasClip) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [hasClip])
  return (
    <span className="screen" ref={place}>
      {hasClip && isSeen && !isGone ? (
        <video
          src={`${contentOf(task.id)}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden="true"
          onError={() => setGone(true)}
        />
      ) : (
        <span className="cut">{isGone || !hasClip ? (task.error?.message ?? t('noVideo')) : ''}</span>
      )}
    </span>
  )
}

export function TaskPlayer({ task }: Props) {
  const t = useWords(videoWords)
  const [isGone, setGone] = useState(false)
  const hasClip = task.status === 'succeeded' && task.deleted_at === null
  return (
    <div className="player">
      {hasClip && !isGone ? (
        // biome-ignore lint/a11y/useMediaCaption: what a model made has no captions.
        <video
          src={contentOf(task.id)}
          controls
          preload="metadata"
          playsInline
          onError={() => setGone(true)}
        />
      ) : (
        <p>{isGone ? t('playerGone') : (task.error?.message ?? t('noVideo'))}</p>
      )}
    </div>
  )
}
