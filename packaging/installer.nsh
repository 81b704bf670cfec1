# What the app itself has told Windows while it ran, start at login and links, goes with it. An update removes it first and keeps both.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\paydesk"
  ${endIf}
!macroend
