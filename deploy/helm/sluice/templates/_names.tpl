{{- define "sluice.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "sluice.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "sluice.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{- define "sluice.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "sluice.envFrom" -}}
- secretRef:
    name: {{ .Values.existingSecret }}
{{- range .Values.providerSecrets }}
- secretRef:
    name: {{ . }}
{{- end }}
{{- end -}}

{{- define "sluice.secretNames" -}}
{{ .Values.existingSecret }}
{{- range .Values.providerSecrets }},{{ . }}{{ end }}
{{- end -}}

{{- define "sluice.path" -}}
- path: {{ index . 2 }}
  pathType: {{ index . 1 }}
  backend:
    service:
      name: {{ include "sluice.name" (index . 0) }}
      port:
        name: http
{{- end -}}
