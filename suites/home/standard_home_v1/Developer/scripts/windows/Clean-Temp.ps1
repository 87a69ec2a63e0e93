# For Dad's machine: remove what is older than two weeks.
$limit = (Get-Date).AddDays(-14)
Get-ChildItem $env:TEMP -Recurse -File |
    Where-Object { $_.LastWriteTime -lt $limit } |
    Remove-Item -Force -ErrorAction SilentlyContinue
Write-Host "Fertig. / Done."
