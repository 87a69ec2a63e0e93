@echo off
rem One double click for Dad: clean up, then show the photos.
powershell -ExecutionPolicy Bypass -File "%~dp0Clean-Temp.ps1"
start "" "%USERPROFILE%\Pictures"
